#!/bin/sh
# Draws the bundled film: a day of the shop in 24 seconds. It is original to this project, made of boxes and words only.
# Needs ffmpeg with libvpx and libopus, and the fonts of fonts-noto-cjk. The result is committed; run this only to change it.
set -eu
cd "$(dirname "$0")/.."
out=backend/media/clips/shop-day.webm
font=$(fc-match -f '%{file}' 'Noto Sans CJK KR:bold')
seconds=24
size=640x360

box() { printf 'color=c=%s:s=%s:r=15:d=%s,format=rgba' "$1" "$2" "$seconds"; }
word() { # text, size, colour, x, y
	printf "drawtext=fontfile=%s:text='%s':fontsize=%s:fontcolor=%s:x='%s':y='%s'" "$font" "$1" "$2" "$3" "$4" "$5"
}
ticket() { # number, title
	printf '%s,%s,%s,drawbox=x=8:y=54:w=84:h=2:color=0x1f2a37@0.3:t=fill' \
		"$(box 0xfffdf7 100x84)" "$(word "#$1" 20 0xb4532a 10 8)" "$(word "$2" 18 0x1f2a37 10 28)"
}

# The morning sky brightens, tickets slide onto the counter and get their tick, and the shutter closes on the evening.
slide() { printf 'if(lt(t,%s),-120,min(%s,-120+(t-%s)*260))' "$1" "$2" "$1"; }
shutter='if(lt(t,2),74,if(lt(t,5),74-(t-2)*64,if(lt(t,20.5),-118,min(74,-118+(t-20.5)*74))))'

ffmpeg -hide_banner -loglevel error -y \
	-f lavfi -i "color=c=0xf4efe4:s=$size:r=15:d=$seconds" \
	-f lavfi -i "$(ticket 1 '길안내')" -f lavfi -i "$(ticket 2 '노래')" -f lavfi -i "$(ticket 3 '영화')" \
	-f lavfi -i "$(box 0x8d8577 520x192),drawgrid=w=520:h=16:t=2:c=0x6f685c,$(word '준비 중' 30 0xf4efe4 '(w-tw)/2' '(h-th)/2')" \
	-f lavfi -i "$(box 0x14181d 640x60)" \
	-f lavfi -i "aevalsrc='0.22*sin(2*PI*t*261.63*pow(2,(if(lt(mod(t,8),2),0,if(lt(mod(t,8),4),5,if(lt(mod(t,8),6),9,7)))+if(lt(mod(t,1),0.25),0,if(lt(mod(t,1),0.5),4,if(lt(mod(t,1),0.75),7,12))))/12))*exp(-5*mod(t,0.25))+0.16*sin(2*PI*t*65.41*pow(2,if(lt(mod(t,8),2),0,if(lt(mod(t,8),4),5,if(lt(mod(t,8),6),9,7)))/12))*exp(-1.2*mod(t,1))':s=48000:d=$seconds" \
	-filter_complex "
		[0:v]drawbox=x=60:y=74:w=520:h=192:color=0xfbe7b8:t=fill,
			drawbox=x=60:y=250:w=520:h=16:color=0xb4532a:t=fill[room];
		[1:v]format=rgba[t1];[2:v]format=rgba[t2];[3:v]format=rgba[t3];
		[room][t1]overlay=x='$(slide 6 420)':y=160:eval=frame[a];
		[a][t2]overlay=x='$(slide 8.5 280)':y=160:eval=frame[b];
		[b][t3]overlay=x='$(slide 11 140)':y=160:eval=frame[c];
		[c]$(word '✓' 40 0x2f7d4f 482 194):enable='gte(t,13)',
			$(word '✓' 40 0x2f7d4f 342 194):enable='gte(t,15)',
			$(word '✓' 40 0x2f7d4f 202 194):enable='gte(t,17)'[done];
		[done][4:v]overlay=x=60:y='$shutter':eval=frame[shut];
		[shut][5:v]overlay=x=0:y=0,
			drawbox=x=0:y=60:w=640:h=14:color=0xb4532a:t=fill,
			drawbox=x=0:y=60:w=60:h=300:color=0xd9cfbd:t=fill,drawbox=x=580:y=60:w=60:h=300:color=0xd9cfbd:t=fill,
			drawbox=x=0:y=266:w=640:h=94:color=0xcfc4ae:t=fill,
			$(word 'AGENT CHAT  어서 오세요  OPEN' 26 0xffb000 '640-mod(t*90,1100)' 14):enable='between(t,2,20.5)',
			$(word '오늘도 고마웠어요  SEE YOU' 26 0xffb000 '(w-tw)/2' 14):enable='gte(t,20.5)',
			fade=t=in:d=1,fade=t=out:st=$((seconds - 1)):d=1[v];
		[6:a]lowpass=f=3200,aecho=0.8:0.6:90:0.25,afade=t=in:d=0.5,afade=t=out:st=$((seconds - 2)):d=2[a_out]" \
	-map '[v]' -map '[a_out]' -t "$seconds" \
	-c:v libvpx -b:v 50k -crf 28 -g 150 -auto-alt-ref 0 -deadline best -c:a libopus -b:a 24k -map_metadata -1 -fflags +bitexact "$out"
ls -l "$out"
