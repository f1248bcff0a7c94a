def sub(f,*prs):
    s=open(f).read()
    for a,b in prs:
        assert a in s,(f,a)
        s=s.replace(a,b,1)
    open(f,'w').write(s)
I='backend/interpreter/'
